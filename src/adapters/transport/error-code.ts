/** The operating system's code for an error, such as `ECONNREFUSED`. */
export function codeOf(error: unknown): string | undefined {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' && /^E[A-Z_]+$/.test(code) ? code : undefined;
}
