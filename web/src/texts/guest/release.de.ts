import { formatInstant, plural } from '../../lib/format.ts';

/** The German texts of the helper's page, which releases photos. */
export const releaseDe = {
  title: 'Freigabe',
  waiting: (count: number) => plural(count, 'Ein Foto wartet', '# Fotos warten'),
  show: 'Zeigen',
  hide: 'Nicht zeigen',
  meaning: '„Zeigen“: Alle Gäste und die Slideshow sehen das Foto. „Nicht zeigen“: Nur der Gastgeber sieht es.',
  unseen: 'Von diesem Video ist noch kein Bild zu sehen. Bitte erst ansehen, dann zeigen.',
  byHost: 'Der Gastgeber kann es ansehen; „Nicht zeigen“ überlässt es ihm.',
  undo: 'Zurück',
  showAll: (count: number) => plural(count, 'Eines zeigen', 'Alle # zeigen'),
  showAllTitle: (count: number) => plural(count, 'Dieses Foto zeigen?', 'Alle # Fotos zeigen?'),
  showAllText: 'Gäste und Slideshow zeigen sie sofort. Einzelne lassen sich danach in der Galerie wieder herausnehmen.',
  done: 'Alles entschieden',
  doneText: 'Neue Fotos erscheinen hier von selbst.',
  from: (name: string, at: string) => (name ? `${name}, ${formatInstant(at)}` : formatInstant(at)),
  failed: 'Die Freigabe lässt sich gerade nicht öffnen',
  notSent: (count: number) =>
    plural(count, 'Eine Entscheidung kam nicht an; das Foto wartet wieder.', '# Entscheidungen kamen nicht an; die Fotos warten wieder.'),
  elsewhere: (count: number) =>
    plural(count, 'Über ein Foto hat inzwischen jemand anders entschieden.', 'Über # Fotos hat inzwischen jemand anders entschieden.'),
  sending: 'Die Entscheidungen werden übertragen …',
  loading: 'Weitere Fotos werden geladen …',
  noAccess: 'Für diese Seite fehlt der Link',
  noAccessText: 'Bitte den Link vom Gastgeber noch einmal öffnen; vielleicht hat der Gastgeber ihn beendet. Gastgeber melden sich hier an.',
  login: 'Als Gastgeber anmelden',
  linkPart: {
    label: 'Link oder Code',
    go: 'Weiter',
    mistake: 'Darin ist weder der ganze Link noch sein Code.',
  },
};
