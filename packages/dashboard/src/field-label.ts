/**
 * A message of the console as people read it. It may begin with the name of a field, such as `new_password`; that name is
 * replaced by the field's label, or by the same words capitalised where the field has no label.
 */
export function withFieldLabel(message: string, labels: Partial<Record<string, string>> = {}): string {
  const fields = fieldsOf(message);
  const shown = fields.map((field, index) => {
    const words = field.replaceAll('_', ' ');
    const label = labels[field] ?? words.charAt(0).toUpperCase() + words.slice(1);
    return index === 0 ? label : label.charAt(0).toLowerCase() + label.slice(1);
  });
  return new Intl.ListFormat('en').format(shown) + message.slice(fields.join(', ').length);
}

/** The field with which a message of the console begins. An email at the beginning is not a field. */
export function fieldOf(message: string): string | undefined {
  return fieldsOf(message)[0];
}

/** The same for several: `client_type, group_name must not be empty`. */
export function fieldsOf(message: string): string[] {
  return /^[a-z]\w*(?:, [a-z]\w*)*(?=:? )/.exec(message)?.[0].split(', ') ?? [];
}
