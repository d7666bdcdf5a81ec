/** Time after the change of a picture in which a touch may still be meant for the one before it. */
export const TOUCH_MS = 300;
