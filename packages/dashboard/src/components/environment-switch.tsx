import { SegmentedControl } from '@mantine/core';
import { useMatches, useNavigate } from '@tanstack/react-router';
import { useEnvironment } from '../environment.ts';
import type { Environment } from '../queries.ts';
import { PAGES } from './navigation.ts';

/** Switches to the same page of the other environment. One client's page has no twin there: its list opens. */
export function EnvironmentSwitch() {
  const environment = useEnvironment();
  const navigate = useNavigate();
  const current = useMatches({ select: (matches) => matches.at(-1)?.fullPath });
  const to = PAGES.find((page) => page.to === current)?.to ?? '/$environment/clients';
  return (
    <SegmentedControl
      aria-label="Environment"
      fullWidth
      size="sm"
      color={environment === 'sandbox' ? 'yellow.2' : 'ink'}
      autoContrast
      value={environment}
      onChange={(value) => navigate({ to, params: { environment: value as Environment } })}
      data={[
        { value: 'production', label: 'Production' },
        { value: 'sandbox', label: 'Sandbox' },
      ]}
    />
  );
}
