import type { BrowserContext } from 'playwright';

/**
 * Changes all further pages of a context as a browser's translator does: each text becomes two <font>, once the document is there and again
 * after each change, except in parts marked as not to be translated. The words stay, so that journeys find their buttons.
 */
export async function translatePages(context: BrowserContext): Promise<void> {
  await context.addInitScript(() => {
    const untouched = 'font, script, style, textarea, title, noscript, [translate=no], .notranslate';
    const translate = (text: Text): void => {
      if (!text.data.trim() || !text.parentElement || text.parentElement.closest(untouched)) return;
      const [outer, inner] = [document.createElement('font'), document.createElement('font')];
      inner.append(text.data);
      outer.append(inner);
      text.replaceWith(outer);
    };
    const translateAll = (root: Node): void => {
      const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
      const texts: Text[] = root instanceof Text ? [root] : [];
      while (walker.nextNode()) texts.push(walker.currentNode as Text);
      texts.forEach(translate);
    };
    document.addEventListener('DOMContentLoaded', () => {
      document.documentElement.classList.add('translated-ltr');
      translateAll(document.body);
      new MutationObserver((changes) => {
        for (const { type, target, addedNodes } of changes) {
          if (type === 'characterData') translateAll(target);
          else addedNodes.forEach(translateAll);
        }
      }).observe(document.body, { subtree: true, childList: true, characterData: true });
    });
  });
}

/** Adds a password manager to all further pages of a context: a button after each field, marks on fields and forms, a menu at the end. */
export async function managePasswords(context: BrowserContext): Promise<void> {
  await context.addInitScript(() => {
    const mark = (): void => {
      for (const form of document.querySelectorAll('form:not([data-pm-form])')) form.setAttribute('data-pm-form', '');
      for (const field of document.querySelectorAll('input:not([data-pm-field])')) {
        field.setAttribute('data-pm-field', '');
        const button = document.createElement('div');
        button.dataset.pmButton = '';
        field.after(button);
      }
    };
    document.addEventListener('DOMContentLoaded', () => {
      document.body.append(document.createElement('pm-menu'));
      mark();
      new MutationObserver(mark).observe(document.body, { subtree: true, childList: true });
    });
  });
}
