import { Notice } from './notice.tsx';

/** A problem with a form as a whole, rather than with one of its fields. */
export function FormProblem({ message }: { message: string | undefined }) {
  if (message === undefined) return null;
  return <Notice tone="error">{message}</Notice>;
}
