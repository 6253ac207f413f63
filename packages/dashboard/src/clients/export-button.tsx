import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconDownload } from '@tabler/icons-react';
import { useEnvironment } from '../environment.ts';
import { withFieldLabel } from '../field-label.ts';

const FRAME = 'export';

interface ExportButtonProps {
  filters: Record<string, string | number | undefined>;
}

/**
 * A form rather than a link, because another site could link to an export and so start it. The browser handles the
 * answer itself and writes a file of any size straight to disk. It does so in a hidden frame, so that an error does not
 * replace the page.
 */
export function ExportButton({ filters }: ExportButtonProps) {
  const environment = useEnvironment();
  const given = Object.entries(filters).filter(([, value]) => value !== undefined);
  return (
    <>
      <form method="post" action={`/console/${environment}/clients.csv`} target={FRAME}>
        {given.map(([name, value]) => (
          <input key={name} type="hidden" name={name} value={value} />
        ))}
        <Button type="submit" variant="default" leftSection={<IconDownload size={16} />}>
          Export CSV
        </Button>
      </form>
      <iframe name={FRAME} title="Export" hidden onLoad={(event) => showError(event.currentTarget)} />
    </>
  );
}

/** A downloaded file does not load in the frame; an error does. The frame is empty at first. */
function showError(frame: HTMLIFrameElement): void {
  const text = frame.contentDocument?.body.textContent;
  if (text === '') return;
  notifications.show({ color: 'red', title: 'The export did not start', message: messageOf(text ?? '') });
}

function messageOf(text: string): string {
  try {
    return withFieldLabel((JSON.parse(text) as { message: string }).message);
  } catch {
    return 'Rollcall cannot be reached or gave an unexpected answer. Reload the page and try again.';
  }
}
