import { z } from 'zod';

export const AuthCheck = z.object({
  authenticated: z.boolean(),
  /** `projector`: a browser that can show the slideshow of the event `userCode`, and nothing else. */
  role: z.enum(['user', 'admin', 'projector']).nullable(),
  userCode: z.string().nullable(),
});
export type AuthCheck = z.infer<typeof AuthCheck>;
