/** Apps that open links in a browser of their own, by their mark in the user agent; the mark is the name where no other is given. */
const APPS: [pattern: RegExp, name?: string][] = [
  [/Barcelona \d/, 'Threads'],
  [/Instagram/],
  [/MessengerForiOS|Orca-Android/, 'Messenger'],
  [/FBAN|FBAV|FB_IAB/, 'Facebook'],
  [/WhatsApp/],
  [/musical_ly|Bytedance|TikTok|\btrill_/, 'TikTok'],
  [/Snapchat/],
  [/\bGSA\//, 'Google'],
  [/\bLine\/\d/, 'Line'],
  [/LinkedIn/],
  [/Pinterest/],
  [/Twitter/, 'X'],
  [/Telegram/],
  [/MicroMessenger/, 'WeChat'],
];
/** For an app that does not name itself: Android says so, on iPhones only Safari's own name is missing. */
const UNNAMED = /; wv\)|\((iPhone|iPad|iPod)(?!.*(Safari|CriOS|FxiOS|EdgiOS|OPT)\/)/;

/** The app in whose own browser the page is: '' where it does not say its name, null where it is in none. */
export function appOf({ userAgent, standalone = false }: Pick<Navigator, 'userAgent'> & { standalone?: boolean }): string | null {
  const [pattern, name = pattern?.source] = APPS.find(([one]) => one.test(userAgent)) ?? [];
  // A page on the home screen has no name of Safari either.
  return name ?? (UNNAMED.test(userAgent) && !standalone ? '' : null);
}
