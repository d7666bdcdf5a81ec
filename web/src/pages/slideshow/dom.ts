/** A part of the page that is redrawn only where its values change. */
export interface View<Shown> {
  element: HTMLElement;
  update(shown: Shown): void;
  end(): void;
}

export function create<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  className = '',
  ...children: (Node | string)[]
): HTMLElementTagNameMap[Name] {
  const element = document.createElement(name);
  if (className !== '') element.className = className;
  element.append(...children);
  return element;
}

/** Replaces an element's content. */
export function fill(element: HTMLElement, ...children: (Node | string)[]): void {
  element.textContent = '';
  element.append(...children);
}

export function setText(element: HTMLElement, text: string): void {
  if (element.textContent !== text) element.textContent = text;
}

/** Excludes an element, such as a name or a code, from translation. */
export function untranslated<Element extends HTMLElement>(element: Element): Element {
  element.translate = false;
  return element;
}

/** Makes the view of an element that does not change. */
export function still(element: HTMLElement): View<unknown> {
  return { element, update: () => undefined, end: () => undefined };
}

/** Shows one view at a time in an element; a view of the same `make` is updated with new values. */
export function createPlace(root: HTMLElement): <Shown>(make: (shown: Shown) => View<Shown>, shown: Shown) => void {
  let made: unknown = null;
  let view: View<never> | null = null;
  return (make, shown) => {
    if (made === make) return view?.update(shown as never);
    view?.end();
    made = make;
    const next = make(shown);
    view = next;
    fill(root, next.element);
    next.update(shown);
  };
}
