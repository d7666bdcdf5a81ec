/** The page for a failed navigation without scripts (for example a ZIP download). `text` is a text of the contract. */
export function errorPage(status: number, text: string, requestId: string): string {
  return `<!doctype html>
<html lang="de">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>Das hat nicht geklappt</title>
</head>
<body>
<main>
<h1>Das hat nicht geklappt</h1>
<p>${escape(text)}</p>
<p><a href="/">Zur Startseite</a></p>
<p><small>Fehler ${status} · Kennung ${escape(requestId.slice(-8))}</small></p>
</main>
</body>
</html>
`;
}

function escape(text: string): string {
  return text.replace(/[&<>"]/g, (c) => `&#${c.charCodeAt(0)};`);
}
