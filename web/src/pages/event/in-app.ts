/** Apps that open links in a browser of their own, by their mark in the user agent, which is also the default name. */
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
/** Mark of an app that does not name itself: Android has a mark of its own, on iPhones only Safari's name is missing. */
const UNNAMED = /; wv\)|\((iPhone|iPad|iPod)(?!.*(Safari|CriOS|FxiOS|EdgiOS|OPT)\/)/;

/** Returns the app in whose own browser the page is: '' if the app does not name itself, null if the browser is no app's. */
export function appOf({ userAgent, standalone = false }: Pick<Navigator, 'userAgent'> & { standalone?: boolean }): string | null {
  const [pattern, name = pattern?.source] = APPS.find(([one]) => one.test(userAgent)) ?? [];
  // A page on the home screen lacks Safari's name, too.
  return name ?? (UNNAMED.test(userAgent) && !standalone ? '' : null);
}
