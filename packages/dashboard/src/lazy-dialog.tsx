import { Button, Stack, Text } from '@mantine/core';
import { type ComponentType, type LazyExoticComponent, lazy } from 'react';
import { Dialog } from './components/dialog.tsx';

interface DialogProps {
  onClose(): void;
}

/** A dialog whose script is loaded when it is opened. Without its script, it says so: the page behind it stays. */
export function lazyDialog<Props extends DialogProps>(
  load: () => Promise<ComponentType<Props>>,
): LazyExoticComponent<ComponentType<Props>> {
  return lazy(() =>
    load().then(
      (dialog) => ({ default: dialog }),
      () => ({ default: NotLoaded }),
    ),
  );
}

function NotLoaded({ onClose }: DialogProps) {
  return (
    <Dialog onClose={onClose} title="Rollcall cannot be reached">
      <Stack align="flex-start">
        <Text size="sm">This form could not be loaded. Load the page again when Rollcall is back.</Text>
        <Button variant="default" onClick={() => window.location.reload()}>
          Load the page again
        </Button>
      </Stack>
    </Dialog>
  );
}
