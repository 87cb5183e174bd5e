/** The explanations of the reasons that integrations alone have. */
export const integrationReasons = {
  already_installed: {
    meaning: 'The integration is installed in the organization.',
    when: 'An integration is installed in an organization that has it.',
    next: 'Change the installation that is there: the list of installations of the organization has it.',
  },
  name_taken: {
    meaning: 'Another integration has the name.',
    when: 'An integration is published under a name that an integration of another organization has, or that differs from the name of one in its case alone.',
    next: 'Publish it under another name, in the organization that owns it, or as the name is written.',
  },
  selected_by_all: {
    meaning: 'The space or site belongs to an installation that is on all of them.',
    when: 'An integration is to be uninstalled from one space or site, and its installation selects `all`.',
    next: 'Change the selection of the installation to `selected` first.',
  },
  configuration_invalid: {
    meaning: 'The configuration does not fit what the integration declares.',
    when: 'A property of the configuration is not declared, is of another type, or has a value that is not among those allowed.',
    next: 'Read `details`: it names every failing property and what it must be. Mend them and send the request again.',
  },
  integration_failed: {
    meaning: 'The script of an integration has failed.',
    when: 'A script throws, answers 500 or what cannot be used, or its answer is too large or not complete.',
    next: 'Tell the owner of the integration the request id. Its admins find what the script did among the events of the integration.',
  },
  integration_timeout: {
    meaning: 'The script of an integration did not answer in time.',
    when: 'A script takes longer than it may: 10 s to render or compute something, 30 s otherwise.',
    next: 'Send the request again later. What the script has done until then stays done.',
  },
  integration_resting: {
    meaning: 'The script of an integration is not called for a while.',
    when: 'Its process was ended three times within ten minutes, since it blocked or needed too much memory.',
    next: 'Wait for `Retry-After`, and tell the owner of the integration.',
  },
  script_blocked: {
    meaning: 'The script of an integration was ended, since it blocked its process.',
    when: 'A script computes for more than two seconds without a pause.',
    next: 'Tell the owner of the integration the request id.',
  },
  script_out_of_memory: {
    meaning: 'The script of an integration was ended, since it needed too much memory.',
    when: 'A script needs more memory than the runtime gives it.',
    next: 'Tell the owner of the integration the request id.',
  },
  runtime_unavailable: {
    meaning: 'No runtime can call the script of an integration now.',
    when: 'The installation runs no scripts, its runtime does not answer, or too many calls are under way.',
    next: 'Send the request again after `Retry-After`. If it lasts, tell the operator.',
  },
} as const;
