/** Forms of keys and tokens that are told by how they begin. Nothing else is written like that. */
export const knownTokens = [
  // GitHub, GitLab.
  'gh[opsur]_[A-Za-z0-9]{12,255}|github_pat_\\w{12,255}|gl(?:pat|ptt|dt|rt|cbt|oas|soat|agent|imt|ft|ffct)-[\\w.-]{12,255}',
  // Slack.
  'xox[abceoprs][-.][\\w.-]{10,255}|xapp-\\d-[\\w-]{10,255}',
  // Stripe.
  '(?:sk|pk|rk)_(?:live|test)_[A-Za-z0-9]{10,255}|whsec_[\\w+/=]{12,255}',
  // Google.
  'AIza[\\w-]{20,255}|ya29\\.[\\w.-]{8,1024}|GOCSPX-[\\w-]{12,255}|1//0[\\w-]{12,255}',
  // Amazon: ids of keys, users and roles.
  '(?:AKIA|ASIA|ABIA|ACCA|AGPA|AIDA|AROA|AIPA|ANPA|ANVA)[A-Z0-9]{12,128}',
  // Models, mail, packages, shops.
  'sk-(?:ant|proj|or|svcacct|admin)-[\\w-]{12,255}|hf_[A-Za-z0-9]{16,255}|SG\\.[\\w-]{12,255}(?:\\.[\\w-]{1,255})?',
  'npm_[A-Za-z0-9]{16,255}|pypi-[\\w-]{16,1024}|shp(?:at|ca|pa|ss)_[A-Za-z0-9]{12,255}|sq0(?:atp|csp)-[\\w-]{12,255}',
  // Installations and tools.
  'do[opr]_v1_[a-f0-9]{12,255}|dckr_pat_[\\w-]{12,255}|lin_api_\\w{12,255}|ntn_\\w{20,255}|figd_[\\w-]{12,255}',
  'PMAK-[\\w-]{12,255}|hv[sbr]\\.[\\w-]{12,1024}|ATATT3[\\w=-]{12,1024}|ATCTT3[\\w=-]{12,1024}|EAA[A-Za-z0-9]{30,255}',
  'AGE-SECRET-KEY-1[A-Z0-9]{12,255}|\\d{8,10}:AA[\\w-]{20,255}|[MN][\\w-]{22,28}\\.[\\w-]{6}\\.[\\w-]{20,255}',
  // JSON web tokens, signed or encrypted.
  'eyJ[\\w-]{8,1000}\\.(?:[\\w-]{8,8192}(?:\\.[\\w-]{0,8192}){0,3}|(?:\\.[\\w-]{0,8192}){1,3})',
].join('|');

/** Beginnings of tokens with which words begin, too. These have a digit. */
export const likelyTokens = '(?:sk|pk|rk|hf|npm|SG|key|tok)[-_.]?[\\w.-]{12,255}';

/** Whether 40 signs of base 64 are a secret access key of Amazon and no path. */
export function isSecretAccessKey(text: string): boolean {
  if (!/\d/.test(text) || !/[a-z]/.test(text) || !/[A-Z]/.test(text)) return false;
  const changes = text.match(/[a-z](?=[A-Z0-9/+])|[A-Z](?=[a-z0-9/+])|\d(?=[A-Za-z/+])/g)?.length ?? 0;
  return changes >= 10;
}
