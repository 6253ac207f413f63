import { SegmentedControl } from '@mantine/core';
import { useMatches, useNavigate } from '@tanstack/react-router';
import type { Environment } from '#contract/environments.ts';
import { useEnvironment } from '../environment.ts';
import { ENVIRONMENT_LABELS, optionsOf } from '../labels.ts';
import { PAGES } from './navigation.ts';

/** Opens the same page in the other environment, or the list to which the page's client or API key belongs. */
export function EnvironmentSwitch() {
  const environment = useEnvironment();
  const navigate = useNavigate();
  const current = useMatches({ select: (matches) => matches.at(-1)?.fullPath });
  const to = PAGES.find((page) => `${current}/`.startsWith(`${page.to}/`))?.to ?? '/$environment/clients';
  return (
    <SegmentedControl
      aria-label="Environment"
      fullWidth
      size="sm"
      color={environment === 'sandbox' ? 'yellow.2' : 'ink'}
      autoContrast
      value={environment}
      onChange={(value) => navigate({ to, params: { environment: value as Environment } })}
      data={optionsOf(ENVIRONMENT_LABELS)}
    />
  );
}
