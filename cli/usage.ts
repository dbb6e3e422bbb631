// Usage errors: found before anything is sent, exit code 2.

import { type FieldProblem, SisyphusError } from "../shared/errors.js";

export function usageError(message: string, hint?: string, fields?: readonly FieldProblem[]): SisyphusError {
  return new SisyphusError("invalid_arguments", message, {
    hint: hint ?? "Add --help to see the flags",
    ...(fields && { fields }),
  });
}
