import { Alert } from '@mantine/core';

/** What went wrong with a form as a whole. */
export function FormProblem({ message }: { message: string | undefined }) {
  if (message === undefined) return null;
  return (
    <Alert color="red" role="alert">
      {message}
    </Alert>
  );
}
