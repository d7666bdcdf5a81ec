import type { Known } from '../facts.ts';
import type { Line, PaperSection } from './paper.ts';

const ANNEX = 'Anlage 3 Nr. 1 BFSG';

/** What a service tells of its accessibility, in the points of the act's third annex. */
export function accessibility({ accessible, business, form, release }: Known): PaperSection[] {
  const { contact, microEnterprise } = business.accessibility;
  const pages = Object.keys(accessible.pages).length;
  const micro: Line[] = microEnterprise
    ? [
        [
          `${business.identity.brand} ist ein Kleinstunternehmen; für seine Dienstleistungen gelten die Anforderungen des Gesetzes nicht. Diese Angaben sind freiwillig.`,
          '§ 3 Abs. 3 BFSG',
          'business',
        ],
      ]
    : [];
  return [
    {
      title: 'Der Dienst',
      lines: [
        [
          'Mit Feierbild laden Gäste einer Veranstaltung Fotos im Browser hoch; Gastgeber sehen sie an, zeigen sie und laden sie herunter.',
          `${ANNEX} lit. a`,
          'business',
        ],
        [
          'Nötig ist ein Browser: Safari ab 15.4, Chrome und Edge ab 100, Firefox ab 100. Ein Konto oder eine App braucht niemand.',
          `${ANNEX} lit. b`,
          'axe',
        ],
        ...micro,
      ],
    },
    {
      title: 'Wie er die Anforderungen erfüllt',
      lines: [
        ['Maßstab sind die Erfolgskriterien der WCAG 2.2, Stufen A und AA.', `${ANNEX} lit. c; § 3 Abs. 1 BFSG`, 'axe'],
        [
          `In Version ${release} hat axe-core ${accessible.axe} in ${pages} Ansichten keinen Verstoß gefunden; die Ansichten stehen unten.`,
          `${ANNEX} lit. c`,
          'axe',
        ],
        [`Geprüfte Ansichten: ${Object.keys(accessible.pages).join(', ')}.`, `${ANNEX} lit. c`, 'axe'],
      ],
    },
    {
      title: 'Bekannte Grenzen',
      lines: [
        [
          'Fotos und Videos stammen von Gästen. Bilder haben als Alternativtext nur Gast und Zeit, Videos keine Untertitel und keine Audiodeskription.',
          `${ANNEX} lit. c`,
          'business',
        ],
        ['Automatische Prüfungen finden nicht jede Barriere.', `${ANNEX} lit. c`, 'business'],
        ...(form.barriers ? [[form.barriers, `${ANNEX} lit. c`, 'business'] satisfies Line] : []),
      ],
    },
    {
      title: 'Hindernisse melden',
      lines: [
        [`Stoßen Sie auf eine Barriere, schreiben Sie an ${contact}.`, `${ANNEX} lit. b`, 'business'],
        [
          'Zuständig ist die Marktüberwachungsstelle der Länder für die Barrierefreiheit von Produkten und Dienstleistungen (MLBF) in Magdeburg.',
          `${ANNEX} lit. d`,
          'business',
        ],
      ],
    },
  ];
}
