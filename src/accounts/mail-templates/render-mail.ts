import escapeHtml from 'escape-html';

/** Content of a mail as plain text; `renderMail` escapes it. */
export interface MailContent {
  /** Shown by mail clients beside the subject. */
  readonly preview: string;
  readonly heading: string;
  readonly paragraphs: readonly string[];
  /** Link target of the button. `link` must be an http(s) URL that the service created. */
  readonly action: { readonly label: string; readonly link: string };
  /** Small print: how long the link is valid, what to do when the mail was not expected. */
  readonly notes: readonly string[];
}

/** Renders text and HTML from the same content. */
export function renderMail(content: MailContent): { readonly text: string; readonly html: string } {
  return { text: textOf(content), html: htmlOf(content) };
}

function textOf({ heading, paragraphs, action, notes }: MailContent): string {
  return [heading, ...paragraphs, `${action.label}:\n${action.link}`, ...notes, '-- \nConvene'].join('\n\n') + '\n';
}

const FONT = "font-family:-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif";
const CARD = 'max-width:520px;background:#ffffff;border-radius:12px';
const BUTTON =
  'display:inline-block;padding:12px 24px;border-radius:8px;' +
  'background:#3b5bdb;color:#ffffff;font-weight:600;text-decoration:none';
const ADDRESS = 'margin:0 0 24px;font-size:14px;color:#5b6478;word-break:break-all';

/**
 * Uses tables and inline styles, which all mail clients support. Loads no resources, so that opening the mail is not
 * tracked.
 */
function htmlOf({ preview, heading, paragraphs, action, notes }: MailContent): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light">
<title>${escapeHtml(heading)}</title>
</head>
<body style="margin:0;padding:0;background:#f4f5f7">
<div style="display:none;max-height:0;overflow:hidden">${escapeHtml(preview)}</div>
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="background:#f4f5f7">
<tr><td align="center" style="padding:32px 16px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="${CARD}">
<tr><td style="padding:32px;${FONT};color:#1d2433;font-size:16px;line-height:1.55">
<p style="margin:0 0 24px;font-weight:700;color:#3b5bdb">Convene</p>
<h1 style="margin:0 0 16px;font-size:22px;line-height:1.3">${escapeHtml(heading)}</h1>
${paragraphs.map((text) => `<p style="margin:0 0 16px">${escapeHtml(text)}</p>`).join('\n')}
${buttonOf(action)}
${notes.map((text) => `<p style="margin:0 0 8px;font-size:14px;color:#5b6478">${escapeHtml(text)}</p>`).join('\n')}
</td></tr>
</table>
</td></tr>
</table>
</body>
</html>
`;
}

/** Also prints the URL, for clients that show no button and for users who check it before they follow it. */
function buttonOf({ label, link }: MailContent['action']): string {
  const href = escapeHtml(link);
  return `<p style="margin:24px 0"><a href="${href}" style="${BUTTON}">${escapeHtml(label)}</a></p>
<p style="${ADDRESS}">Or open this address: <a href="${href}" style="color:#3b5bdb">${href}</a></p>`;
}
