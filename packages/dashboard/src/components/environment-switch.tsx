import { SegmentedControl } from '@mantine/core';
import { useMatches, useNavigate } from '@tanstack/react-router';
import type { Environment } from '#contract/environments.ts';
import { useEnvironment } from '../environment.ts';
import { ENVIRONMENT_LABELS, optionsOf } from '../labels.ts';
import { PAGES } from './navigation.ts';

const SWITCHED = [...PAGES.map(({ to }) => to), '/$environment/import'] as const;

/** Opens the same page in the other environment with its filters, or the list to which the page's client or API key belongs. */
export function useSwitchEnvironment(): (environment: Environment) => Promise<void> {
  const navigate = useNavigate();
  const current = useMatches({ select: (matches) => matches.at(-1)?.fullPath });
  const to = SWITCHED.find((page) => `${current}/`.startsWith(`${page}/`)) ?? '/$environment/clients';
  // Pages of a list are counted anew: the other one may be shorter.
  const keep = current === to ? (search: object) => ({ ...search, page: undefined }) : {};
  return (environment) => navigate({ to, params: { environment }, search: keep });
}

export function EnvironmentSwitch() {
  const environment = useEnvironment();
  const switchTo = useSwitchEnvironment();
  return (
    <SegmentedControl
      aria-label="Environment"
      fullWidth
      size="sm"
      color={environment === 'sandbox' ? 'yellow.2' : 'ink'}
      autoContrast
      value={environment}
      onChange={(value) => switchTo(value as Environment)}
      data={optionsOf(ENVIRONMENT_LABELS)}
    />
  );
}
