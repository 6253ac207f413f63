import { notifications } from '@mantine/notifications';
import { type ReactNode, useId } from 'react';
import { withFieldLabel } from '../field-label.ts';

interface FileFormProps {
  /** The address of the file. */
  action: string;
  fields?: Record<string, string | number | undefined>;
  /** The title of the message when there is no file. */
  problem: string;
  /** The button that submits it. */
  children: ReactNode;
}

/**
 * Downloads a file. A form rather than a link, because another site could link to a file and so start the download. The
 * browser handles the answer itself and writes a file of any size straight to disk. It does so in a hidden frame, so that
 * an error does not replace the page.
 */
export function FileForm({ action, fields = {}, problem, children }: FileFormProps) {
  const frame = useId();
  const given = Object.entries(fields).filter(([, value]) => value !== undefined);
  return (
    <>
      <form method="post" action={`/console${action}`} target={frame}>
        {given.map(([name, value]) => (
          <input key={name} type="hidden" name={name} value={value} />
        ))}
        {children}
      </form>
      <iframe name={frame} title="Download" hidden onLoad={(event) => showError(event.currentTarget, problem)} />
    </>
  );
}

/** A downloaded file does not load in the frame; an error does. The frame is empty at first. */
function showError(frame: HTMLIFrameElement, title: string): void {
  const text = frame.contentDocument?.body.textContent;
  if (text === '') return;
  notifications.show({ color: 'red', title, message: messageOf(text ?? '') });
}

function messageOf(text: string): string {
  try {
    return withFieldLabel((JSON.parse(text) as { message: string }).message);
  } catch {
    return 'Rollcall cannot be reached or gave an unexpected answer. Reload the page and try again.';
  }
}
