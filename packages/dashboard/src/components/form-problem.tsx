import { Notice } from './notice.tsx';

/** What went wrong with a form as a whole. */
export function FormProblem({ message }: { message: string | undefined }) {
  if (message === undefined) return null;
  return <Notice tone="error">{message}</Notice>;
}
