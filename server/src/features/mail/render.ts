import { blocksOf, filled, tokenLine, type MailBlock, type MailValues } from '@feierbild/contract/mail.ts';
import { GROUNDS } from '@feierbild/contract/colours.ts';
import { logoSize } from '@feierbild/contract/logo.ts';
import type { SendMailOptions } from 'nodemailer';
import { escapeMarkup } from '../../http/errors.ts';
import { cleanText } from '../../lib/clean-text.ts';
import type { Letter } from './letters.ts';

/** The sender's look. */
export interface MailLook {
  brand: string;
  /** The lines below the mail. */
  imprint: string;
  /** `#rrggbb`; white text on it is legible. */
  accent: string;
  /** The colour for a dark background. */
  light: string;
  /** The origin of our pages. */
  origin: string;
  /** The operator's logo, or null. */
  logo: { type: string; width: number; height: number; content: Uint8Array } | null;
}

export interface RenderedMail {
  subject: string;
  text: string;
  html: string;
  attachments: NonNullable<SendMailOptions['attachments']>;
}

const SUBJECT_MAX = 250;
/** Content id by which the HTML refers to the attached logo. */
const LOGO_CID = 'logo@feierbild';

/**
 * Renders a mail as text and HTML, from one template. It loads nothing: the logo is attached, and there is no other picture, no font and no
 * tracking pixel.
 */
export function renderMail(
  { subject, body }: { subject: string; body: string },
  values: MailValues,
  look: MailLook,
  { unsubscribe, token }: Pick<Letter, 'unsubscribe' | 'token'>,
): RenderedMail {
  const blocks = [...blocksOf(body, values), ...(token === null ? [] : [{ kind: 'text' as const, text: tokenLine(token) }])];
  const footer = [look.imprint, ...(unsubscribe === null ? [] : [`Keine Mails dieser Art mehr: ${unsubscribe}`])];
  return {
    subject: [...cleanText(filled(subject, values).replace(/\s+/g, ' '))].slice(0, SUBJECT_MAX).join(''),
    text: [...blocks.map(textOf), `-- \n${footer.join('\n\n')}`].join('\n\n') + '\n',
    html: htmlOf(blocks, look, unsubscribe, (url) => url.startsWith(`${look.origin}/`) || body.includes(url)),
    attachments: look.logo
      ? [
          {
            cid: LOGO_CID,
            filename: 'logo',
            content: Buffer.from(look.logo.content),
            contentType: look.logo.type,
            contentDisposition: 'inline',
          },
        ]
      : [],
  };
}

const textOf = (block: MailBlock): string => (block.kind === 'text' ? block.text : `${block.words}:\n${block.url}`);

const ADDRESS = /(https?:\/\/[^\s<>"']*[^\s<>"'.,:;!?)])/;
/** Escapes a text and makes links of our own addresses only: a title may contain others, as anybody fills in its form. */
const linked = (text: string, isOurs: (url: string) => boolean): string =>
  text
    .split(ADDRESS)
    .map((part) =>
      ADDRESS.test(part) && isOurs(part) ? `<a class="link" href="${escapeMarkup(part)}">${escapeMarkup(part)}</a>` : escapeMarkup(part),
    )
    .join('')
    .replaceAll('\n', '<br>');

function sized(logo: NonNullable<MailLook['logo']>): string {
  const { width, height } = logoSize(logo);
  return `width="${width}" height="${height}"`;
}

function htmlOf(
  blocks: MailBlock[],
  { brand, imprint, accent, light, logo }: MailLook,
  unsubscribe: string | null,
  isOurs: (url: string) => boolean,
): string {
  const parts = blocks.map((block) =>
    block.kind === 'text'
      ? `<p style="margin:0 0 16px">${linked(block.text, isOurs)}</p>`
      : `<p style="margin:24px 0"><a href="${escapeMarkup(block.url)}" style="display:inline-block;padding:12px 20px;border-radius:10px;background:${accent};color:#ffffff;font-weight:600;text-decoration:none">${escapeMarkup(block.words)}</a></p>`,
  );
  // The logo is made for a light ground, so it gets one in dark mode, too.
  const head = logo
    ? `<img src="cid:${LOGO_CID}" ${sized(logo)} alt="${escapeMarkup(brand)}" style="padding:6px;border-radius:8px;background:${GROUNDS.paper}">`
    : escapeMarkup(brand);
  const end = unsubscribe === null ? '' : `<br><br><a class="link" href="${escapeMarkup(unsubscribe)}">Keine Mails dieser Art mehr</a>`;
  return `<!doctype html>
<html lang="de">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<style>
body { background: #f1ebe1; color: #221c1d; }
.card { background: #fffdfa; }
.soft { color: #5e5454; }
.link { color: ${accent}; }
@media (prefers-color-scheme: dark) {
  body { background: #1b1617 !important; color: #f4ede4 !important; }
  .card { background: #2a2223 !important; }
  .soft { color: #c4b8b3 !important; }
  .link { color: ${light} !important; }
}
</style>
</head>
<body style="margin:0;padding:24px 12px;font:16px/1.5 system-ui,-apple-system,'Segoe UI',Roboto,sans-serif">
<div style="max-width:560px;margin:0 auto">
<p style="margin:0 0 12px;font-weight:600">${head}</p>
<div class="card" style="padding:24px;border-radius:14px;overflow-wrap:anywhere">
${parts.join('\n')}
</div>
<p class="soft" style="margin:16px 0 0;font-size:13px">${escapeMarkup(imprint).replaceAll('\n', '<br>')}${end}</p>
</div>
</body>
</html>
`;
}
