/** The login page with the demo's public code and password filled in. */
export function demoLogin({ code, password }: { code: string; password: string }): string {
  return `/login?${new URLSearchParams({ username: code, password }).toString()}`;
}
