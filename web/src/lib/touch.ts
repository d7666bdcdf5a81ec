/** From the change of a picture until a second touch at its place is no longer meant for the one before it. */
export const TOUCH_MS = 300;
