import { notifications } from '@mantine/notifications';
import { type FormEvent, type ReactNode, useId, useRef } from 'react';
import { ApiError, callConsole, SIGNED_OUT } from '../api.ts';
import { withFieldLabel } from '../field-label.ts';
import { useProofPrompt } from './proof-prompt.tsx';
import { proofRequestOf } from './proof-request.ts';

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
 * an error does not replace the page. When the console asks for a proof, the member is asked and the form is sent again.
 */
export function FileForm({ action, fields = {}, problem, children }: FileFormProps) {
  const frame = useId();
  const form = useRef<HTMLFormElement>(null);
  const promptForProof = useProofPrompt();
  const show = (message: string) =>
    notifications.show({ color: 'red', title: problem, message: withFieldLabel(message) });
  /** A form cannot say which account its page belongs to, so that is asked for before. */
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    try {
      await callConsole('GET', '/session');
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (error.status !== SIGNED_OUT) {
        show(error.message);
        return;
      }
    }
    form.current?.submit();
  };
  const onAnswer = async (answer: HTMLIFrameElement) => {
    const refusal = refusalIn(answer);
    if (!refusal) return;
    const { status_code: status, message } = refusal;
    const request = proofRequestOf({ status, message });
    if (request && (await promptForProof(request))) return form.current?.requestSubmit();
    show(message);
  };
  const given = Object.entries(fields).filter(([, value]) => value !== undefined);
  return (
    <>
      <form ref={form} method="post" action={`/console${action}`} target={frame} onSubmit={submit}>
        {given.map(([name, value]) => (
          <input key={name} type="hidden" name={name} value={value} />
        ))}
        {children}
      </form>
      <iframe name={frame} title="Download" hidden onLoad={(event) => onAnswer(event.currentTarget)} />
    </>
  );
}

interface Refusal {
  status_code: number;
  message: string;
}

const UNREADABLE = 'Rollcall cannot be reached or gave an unexpected answer. Reload the page and try again.';

/** A downloaded file does not load in the frame; a refusal does. The frame is empty at first. */
function refusalIn(frame: HTMLIFrameElement): Refusal | undefined {
  const text = frame.contentDocument?.body.textContent;
  if (text === '') return undefined;
  try {
    return JSON.parse(text ?? '') as Refusal;
  } catch {
    return { status_code: 0, message: UNREADABLE };
  }
}
