import { EVENT_CODE_LENGTH } from '@feierbild/contract/constants.ts';
import { cleanEventCode } from '@feierbild/contract/event-code.ts';
import { call, isRefusal, messageOf } from '../../api/client.ts';
import { takeToken, tokenIn, tokenInAddress } from '../../lib/address-token.ts';
import { pastedLink } from '../../lib/pasted-link.ts';
import type { Site } from '../../lib/use-site.ts';
import { cookieTexts } from '../../texts/guest/cookies.ts';
import { releaseTexts } from '../../texts/guest/release.ts';
import { shell } from '../../texts/guest/shell.ts';
import { create, createPlace, still, untranslated } from './dom.ts';
import styles from './entrance.module.css';
import { button, failed, framed, headline, link, message, waiting } from './messages.ts';
import messages from './messages.module.css';
import { keepAsking } from './visitor.ts';

/** Time in which somebody may ask for another wall than the screen's last one, enough for the keys of a remote control. */
const ANOTHER_MS = 10_000;

const leaveFor = (code: string): void => window.location.replace(`/slideshow/${code}`);

/** Opens /leinwand/{code}, the crew's link, which gives access to the slideshow and nothing else. */
export function openCrewLink(root: HTMLElement, raw: string, site: Site): void {
  const code = cleanEventCode(raw);
  const show = createPlace(root);
  let token = tokenInAddress();
  const give = (other: string): void => {
    token = other;
    enter();
  };
  const enter = (): void => {
    show(() => still(waiting()), null);
    ask();
  };
  const refusal = (): HTMLElement => {
    if (!navigator.cookieEnabled)
      return message(site, {
        title: cookieTexts.title,
        text: [cookieTexts.text],
        actions: [button(shell.reload, () => window.location.reload())],
      });
    if (token === '') return incomplete(site, give);
    return message(site, {
      title: 'Dieser Link gilt nicht mehr',
      sign: 'key',
      text: ['Der Gastgeber kann ihn neu schicken oder einen Code zum Eintippen zeigen.'],
      actions: [link('Code eingeben', '/tv')],
    });
  };
  const ask = keepAsking(
    () => comeIn(code, token),
    (mayEnter) => (mayEnter ? leaveFor(code) : show(() => still(refusal()), null)),
    (error, onRetry) => show(failed, { site, error, onRetry }),
  );
  // A further link to the open page changes only the fragment, and loads no document.
  window.addEventListener('hashchange', () => {
    const other = tokenInAddress();
    if (other !== '') give(other);
  });
  enter();
}

/** Sends the token and removes it from the address, so that nobody reads it there. Returns whether the browser may enter. Throws ApiError. */
async function comeIn(code: string, token: string): Promise<boolean> {
  if (token !== '') {
    await call('POST /auth/wall/login', { body: { code, token } }).catch((error: unknown) => {
      // The link may be an earlier one; the browser's session may still open the page.
      if (!isRefusal(error, 'invalid_credentials')) throw error;
    });
    takeToken();
  }
  return call('GET /api/events/:ref/wall', { params: { ref: code } }).then(
    () => true,
    (error: unknown) => {
      if (isRefusal(error, 'login_required')) return false;
      throw error;
    },
  );
}

/** Makes the message for a link that has lost its end on the way. */
function incomplete(site: Site, give: (token: string) => void): HTMLElement {
  const { label, go, mistake } = releaseTexts.linkPart;
  const { field, input, say } = labelledField(label, 'link');
  const form = formOf(go, field, () => {
    const token = tokenIn(pastedLink(input.value));
    if (token === '') say(mistake);
    else give(token);
  });
  return message(site, {
    title: 'Im Link fehlt ein Teil',
    sign: 'unlinked',
    text: [
      'Manche Mailprogramme kürzen Links. Fügen Sie hier den ganzen Link ein. Oder der Gastgeber zeigt einen Code, der sich ',
      link('hier eintippen', '/tv', messages.text),
      ' lässt.',
    ],
    actions: [form.element],
  });
}

/** Opens /tv: a screen that has shown a wall goes on with it, and any other takes eight characters, typed by a remote control. */
export function openTelevision(root: HTMLElement, site: Site): void {
  const show = createPlace(root);
  const type = (): void => show(() => still(codeForm(site)), null);
  const ask = keepAsking(
    () => call('GET /auth/check'),
    ({ role, userCode }) => {
      if (role !== 'projector' || userCode === null) return type();
      const timer = setTimeout(() => leaveFor(userCode), ANOTHER_MS);
      const another = button('Anderen Code eingeben', () => {
        clearTimeout(timer);
        type();
        // The pressed button is gone, and the focus with it.
        root.querySelector('input')?.focus();
      });
      const text = ['Dieser Bildschirm zeigt gleich wieder die Slideshow, die hier zuletzt lief.'];
      show(() => still(message(site, { title: 'Die Leinwand geht weiter', sign: 'play', text, actions: [another] })), null);
      another.focus();
    },
    (error, onRetry) => show(failed, { site, error, onRetry }),
  );
  show(() => still(waiting()), null);
  ask();
}

/** Makes the form for a typed code. */
function codeForm(site: Site): HTMLElement {
  const { field, input, say } = labelledField('Code', 'code');
  input.className = `${styles.input} ${styles.code}`;
  input.setAttribute('autocapitalize', 'characters');
  const form = formOf('Öffnen', field, () => {
    if (input.value.length < EVENT_CODE_LENGTH) return;
    say('');
    form.busy(true);
    open(input.value).then(
      (code) => {
        if (code !== null) return leaveFor(code);
        form.busy(false);
        say(`${cookieTexts.title}. ${cookieTexts.text}`);
      },
      (error: unknown) => {
        form.busy(false);
        say(isRefusal(error, 'invalid_credentials') ? 'Dieser Code gilt nicht oder nicht mehr.' : messageOf(error));
      },
    );
  });
  const typed = (): void => {
    const clean = cleanEventCode(input.value);
    if (clean !== input.value) input.value = clean;
    form.send.disabled = clean.length < EVENT_CODE_LENGTH;
  };
  input.addEventListener('input', typed);
  typed();
  form.element.prepend(
    headline('Leinwand öffnen'),
    create('p', '', 'Der Gastgeber sieht den Code auf seinem Handy: in der Übersicht des Events unter „Fernbedienung“.'),
  );
  return framed(site, form.element);
}

/** Returns the event whose wall a typed code opens; null if the browser has not kept the cookie. Throws ApiError. */
async function open(typed: string): Promise<string | null> {
  const { code } = await call('POST /auth/wall/login', { body: { typed } });
  return navigator.cookieEnabled || (await call('GET /auth/check')).authenticated ? code : null;
}

/** Makes a labelled field; `say` shows the mistake in its text. */
function labelledField(text: string, name: string) {
  const input = untranslated(create('input', styles.input));
  Object.assign(input, { id: name, name, autocomplete: 'off', spellcheck: false });
  const label = create('label', styles.label, text);
  label.htmlFor = name;
  const mistake = create('p', styles.mistake);
  mistake.id = `${name}-mistake`;
  mistake.setAttribute('role', 'alert');
  input.setAttribute('aria-describedby', mistake.id);
  const say = (what: string): void => {
    mistake.textContent = what;
    if (what === '') input.removeAttribute('aria-invalid');
    else input.setAttribute('aria-invalid', 'true');
  };
  return { field: create('div', styles.field, label, input, mistake), input, say };
}

function formOf(text: string, field: HTMLElement, submitted: () => void) {
  const send = create('button', `${messages.button} ${messages.primary} ${messages.wide}`, text);
  send.type = 'submit';
  const element = create('form', styles.form, field, send);
  element.noValidate = true;
  element.addEventListener('submit', (event) => {
    event.preventDefault();
    if (send.getAttribute('aria-busy') !== 'true') submitted();
  });
  const busy = (on: boolean): void => {
    send.disabled = on;
    if (on) send.setAttribute('aria-busy', 'true');
    else send.removeAttribute('aria-busy');
  };
  return { element, send, busy };
}
