/**
 * A message of the console as people read it. It may begin with the name of a field, such as `new_password`; that name is
 * replaced by the field's label, or by the same words capitalised where the field has no label.
 */
export function withFieldLabel(message: string, labels: Partial<Record<string, string>> = {}): string {
  const field = fieldOf(message);
  if (field === undefined) return message;
  const words = field.replaceAll('_', ' ');
  const label = labels[field] ?? words.charAt(0).toUpperCase() + words.slice(1);
  return label + message.slice(field.length);
}

/** The field with which a message of the console begins. An email at the beginning is not a field. */
export function fieldOf(message: string): string | undefined {
  return /^[a-z]\w*(?=:? )/.exec(message)?.[0];
}
