import { Checkbox, Text } from '@mantine/core';

interface KeepStatusProps {
  /** Whether a check has found that statuses would change. */
  wouldChange: boolean;
  keepsStatus: boolean;
  onChange(keepsStatus: boolean): void;
  disabled: boolean;
}

/** Whether clients that are in Rollcall already keep their status. Members may have changed it since the file was made. */
export function KeepStatus({ wouldChange, keepsStatus, onChange, disabled }: KeepStatusProps) {
  return (
    <section aria-label="Clients that are in Rollcall already">
      {wouldChange && (
        <Text size="sm" mb="xs">
          Nothing is imported yet. Keep the status that these clients have now, or import the file as it is.
        </Text>
      )}
      <Checkbox
        label="Keep the status that clients have now"
        description="For clients that are in Rollcall already. New clients get the status of the file."
        checked={keepsStatus}
        onChange={({ currentTarget: { checked } }) => onChange(checked)}
        disabled={disabled}
      />
    </section>
  );
}
