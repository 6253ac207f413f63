import { Checkbox } from '@mantine/core';

interface KeepStatusProps {
  keepsStatus: boolean;
  onChange(keepsStatus: boolean): void;
  disabled: boolean;
}

/** Whether clients that are in Rollcall already keep their status. Members may have changed it since the file was made. */
export function KeepStatus({ keepsStatus, onChange, disabled }: KeepStatusProps) {
  return (
    <section aria-label="Clients that are in Rollcall already">
      <Checkbox
        label="Keep the status that clients have now"
        description="For clients that are already in Rollcall. A new client gets the status from its first row in the file."
        checked={keepsStatus}
        onChange={({ currentTarget: { checked } }) => onChange(checked)}
        disabled={disabled}
      />
    </section>
  );
}
