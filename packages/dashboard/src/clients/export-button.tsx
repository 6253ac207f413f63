import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconDownload } from '@tabler/icons-react';
import { useEnvironment } from '../environment.ts';

const FRAME = 'export';

interface ExportButtonProps {
  filters: Record<string, string | number | undefined>;
}

/**
 * A form and not a link: what another site can link to, it can set off. The browser itself takes the answer, so that a
 * file of any size goes straight to the disk; into a hidden frame, so that a refusal does not replace the page.
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
      <iframe name={FRAME} title="Export" hidden onLoad={(event) => tellOfRefusal(event.currentTarget)} />
    </>
  );
}

/** A file does not load in the frame. What does is a refusal, except for the empty page that the frame begins with. */
function tellOfRefusal(frame: HTMLIFrameElement): void {
  const text = frame.contentDocument?.body.textContent;
  if (text === '') return;
  notifications.show({ color: 'red', title: 'The export did not start', message: messageIn(text ?? '') });
}

function messageIn(text: string): string {
  try {
    return (JSON.parse(text) as { message: string }).message;
  } catch {
    return 'Rollcall cannot be reached, or did not understand. Reload the page and try again.';
  }
}
