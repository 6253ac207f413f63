import { useForm } from '@mantine/form';
import { useState } from 'react';
import type { TObject } from 'typebox';
import { problemsOf } from '#contract/check-form.ts';
import { ApiError } from './api.ts';

export interface FormOptions<Values> {
  schema: TObject;
  initialValues: Values;
  /** What people call the fields; the schema's own name otherwise. */
  labels: Partial<Record<keyof Values & string, string>>;
  send(values: Values): Promise<void>;
}

/** A form that is checked as the console checks it, and shows the console's words by the field they are about. */
export function useCheckedForm<Values extends Record<string, unknown>>(options: FormOptions<Values>) {
  const { schema, initialValues, labels, send } = options;
  const [problem, setProblem] = useState<string>();
  const [sending, setSending] = useState(false);
  const form = useForm<Values>({
    initialValues,
    validate: (values) =>
      Object.fromEntries(
        problemsOf(schema, given(values)).map(({ field, message }) => [field, spoken(message, labels)]),
      ),
  });

  const submit = form.onSubmit(async (values) => {
    setProblem(undefined);
    setSending(true);
    try {
      await send(values);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      const field = /^\w+/.exec(error.message)?.[0] ?? '';
      if (field in initialValues) form.setFieldError(field, spoken(error.message, labels));
      else setProblem(error.message);
    } finally {
      setSending(false);
    }
  });
  return { form, submit, problem, sending };
}

/** Fields that were left empty and may be are not sent at all. */
function given(values: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
}

function spoken(message: string, labels: Partial<Record<string, string>>): string {
  return message.replace(/^\w+/, (field) => labels[field] ?? field.charAt(0).toUpperCase() + field.slice(1));
}
