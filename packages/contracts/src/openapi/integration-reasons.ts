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
} as const;
