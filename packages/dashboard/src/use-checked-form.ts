import { useForm } from '@mantine/form';
import { type ReactNode, useState } from 'react';
import type { TObject } from 'typebox';
import { type FieldProblem, problemsOf } from '#contract/check-form.ts';
import { ApiError } from './api.ts';
import { fieldOf, withFieldLabel } from './field-label.ts';

export interface FormOptions<Values> {
  schema: TObject;
  /** Finds what the schema cannot say. Where both find something, the message of the schema is shown. */
  checkValues?(values: NoInfer<Values>): FieldProblem[];
  initialValues: Values;
  /** The labels of the fields. A field without one is called by its name in the schema, capitalised. */
  labels: Partial<Record<keyof Values & string, string>>;
  send(values: Values): Promise<void>;
}

/** What an input needs whose value is not the text of a field. */
export interface InputProps<Value> {
  value: Value;
  onChange(value: Value): void;
  error?: ReactNode;
}

/** A form with the same checks as in the console. Messages of the console are shown beside the field that they name. */
export function useCheckedForm<Values extends Record<string, unknown>>(options: FormOptions<Values>) {
  const { schema, checkValues = () => [], initialValues, labels, send } = options;
  const [problem, setProblem] = useState<string>();
  const [sending, setSending] = useState(false);
  const form = useForm<Values>({
    initialValues,
    validate: (values) =>
      Object.fromEntries(
        [...checkValues(values), ...problemsOf(schema, withoutUndefined(values))].map(({ field, message }) => [
          field,
          withFieldLabel(message, labels),
        ]),
      ),
  });

  const submit = form.onSubmit(async (values) => {
    setProblem(undefined);
    setSending(true);
    try {
      await send(values);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      const field = fieldOf(error.consoleMessage);
      const message = withFieldLabel(error.consoleMessage, labels);
      if (field !== undefined && field in initialValues) form.setFieldError(field, message);
      else setProblem(message);
    } finally {
      setSending(false);
    }
  });
  const inputProps = <Field extends keyof Values & string>(field: Field) =>
    form.getInputProps(field) as InputProps<Values[Field]>;
  return { form, inputProps, submit, problem, sending };
}

/** Optional fields that were left empty are not sent. */
function withoutUndefined(values: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
}
