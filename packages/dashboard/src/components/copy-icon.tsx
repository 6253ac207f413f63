import { ActionIcon, CopyButton, Tooltip } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';

/** Copies a text that is shown beside it. */
export function CopyIcon({ label, value }: { label: string; value: string }) {
  return (
    <CopyButton value={value}>
      {({ copied, copy }) => (
        <Tooltip label={copied ? 'Copied' : label}>
          <ActionIcon
            variant="subtle"
            color="gray"
            c="dimmed"
            size={24}
            my={-4}
            className="beside-text"
            aria-label={label}
            onClick={copy}
          >
            {copied ? <IconCheck size={14} /> : <IconCopy size={14} stroke={1.7} />}
          </ActionIcon>
        </Tooltip>
      )}
    </CopyButton>
  );
}
