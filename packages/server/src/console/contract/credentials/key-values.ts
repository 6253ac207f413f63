import { isNetwork, NETWORK_FORM } from '../../../domain/credentials/network-form.ts';
import { parseRateLimit, RATE_LIMIT_FORM } from '../../../domain/credentials/rate-limit.ts';
import type { FieldProblem } from '../check-form.ts';

interface KeyValues {
  allowed_networks: readonly string[];
  rate_limit: string | null;
}

/** What the console would refuse in a form of a key although it has the right shape, so that all of it is seen at once. */
export function problemsOfKeyValues({ allowed_networks: networks, rate_limit: limit }: KeyValues): FieldProblem[] {
  const problems: FieldProblem[] = [];
  const wrong = networks.find((network) => !isNetwork(network));
  if (wrong !== undefined) {
    problems.push({ field: 'allowed_networks', message: `allowed_networks: "${wrong}" is not ${NETWORK_FORM}.` });
  }
  if (limit !== null && parseRateLimit(limit) === undefined) {
    problems.push({ field: 'rate_limit', message: `rate_limit must be ${RATE_LIMIT_FORM}.` });
  }
  return problems;
}
