import type { FailureCode } from '../../../domain/failure.ts';

/** The product should refuse the request with this code. */
export class Refusal extends Error {
  readonly code: FailureCode;

  constructor(code: FailureCode) {
    super(code);
    this.code = code;
  }
}

export function refuse(code: FailureCode): never {
  throw new Refusal(code);
}

export function refuseIf(condition: boolean, code: FailureCode): void {
  if (condition) refuse(code);
}
