import { Box, Button, CopyButton, Group, Text } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import { useEffect, useRef } from 'react';

interface CopyBlockProps {
  label: string;
  value: string;
  /** Whether the button gets the focus when the text appears, where it takes the place of what had the focus. */
  hasFocus?: boolean;
}

/** Text that is shown in full, with a button that copies it. */
export function CopyBlock({ label, value, hasFocus = false }: CopyBlockProps) {
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (hasFocus) button.current?.focus();
  }, [hasFocus]);
  return (
    <Box>
      <Group justify="space-between" mb={6}>
        <Text size="sm" fw={500}>
          {label}
        </Text>
        <CopyButton value={value}>
          {({ copied, copy }) => (
            <Button
              ref={button}
              data-autofocus={hasFocus || undefined}
              size="compact-xs"
              variant="default"
              onClick={copy}
              leftSection={copied ? <IconCheck size={14} /> : <IconCopy size={14} />}
            >
              {copied ? 'Copied' : 'Copy'}
            </Button>
          )}
        </CopyButton>
      </Group>
      <pre className="code-block">{value}</pre>
    </Box>
  );
}
