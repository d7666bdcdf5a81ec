/**
 * Lets React work in a document that others change, too: translators replace texts by elements, and React throws when it then removes
 * such a text or inserts something before it (https://github.com/facebook/react/issues/11538). Must be imported before React renders.
 */

/** Maps a removed text to the element that replaced it. */
const inPlaceOf = new WeakMap<Node, Node>();

function note(changes: MutationRecord[]): void {
  for (const { removedNodes, addedNodes, previousSibling } of changes) {
    // A translator that inserts its element first and then removes the text leaves the element as the text's previous sibling.
    const placed = addedNodes[0] ?? previousSibling;
    if (removedNodes[0] instanceof Text && !removedNodes[1] && placed instanceof HTMLElement) inPlaceOf.set(removedNodes[0], placed);
  }
}
const watching = new MutationObserver(note);

/** Puts back a text that a translator replaced; the translator finds a new text there and translates it again. */
function putBack(node: Node): void {
  if (!(node instanceof Text) || node.isConnected) return;
  note(watching.takeRecords());
  const placed = inPlaceOf.get(node);
  if (placed?.isConnected) placed.parentNode?.replaceChild(node, placed);
}

const { removeChild, insertBefore } = Node.prototype;
const value = Object.getOwnPropertyDescriptor(Node.prototype, 'nodeValue') as PropertyDescriptor & { set(text: string): void };

Node.prototype.removeChild = function <T extends Node>(this: Node, child: T): T {
  putBack(child);
  // A node that is gone need not be removed.
  return child.parentNode === this ? (removeChild.call(this, child) as T) : child;
};
Node.prototype.insertBefore = function <T extends Node>(this: Node, node: T, next: Node | null): T {
  if (next) putBack(next);
  return insertBefore.call(this, node, next?.parentNode === this ? next : null) as T;
};
Object.defineProperty(Node.prototype, 'nodeValue', {
  ...value,
  set(this: Node, text: string) {
    putBack(this);
    value.set.call(this, text);
  },
});
watching.observe(document, { subtree: true, childList: true });
