/** The element that a translator put in a text's place. */
const standIns = new WeakMap<Node, Node>();

/** The child of `parent` that shows `node`: itself, an element around it, or its stand-in. Null: it is elsewhere, or gone. */
function childShowing(node: Node, parent: Node): Node | null {
  let at: Node | undefined = node;
  while (at && at.parentNode !== parent) at = at.parentNode ?? standIns.get(at);
  return at ?? null;
}

function noteStandIns(records: readonly MutationRecord[], observer: MutationObserver): void {
  const newNodes = new Set<Node>();
  for (const record of records) {
    const standIn = standIns.get(record.target);
    // React has changed a text that is not shown.
    if (standIn && !record.target.parentNode)
      standIn.parentNode?.replaceChild(record.target, standIn);
    for (const node of record.addedNodes) {
      newNodes.add(node);
      const old = standIns.get(node);
      // React has moved a text that was not shown, or the translator has put it back.
      if (old) old.parentNode?.removeChild(old);
    }
    const beside = [record.addedNodes[0], record.previousSibling, record.nextSibling];
    const place = beside.find((node) => node instanceof Element && newNodes.has(node));
    for (const text of place ? record.removedNodes : []) {
      if (!place || !(text instanceof Text) || text.isConnected) continue;
      standIns.set(text, place);
      observer.observe(text, { characterData: true });
    }
  }
}

/**
 * Lets React change a page that the browser has translated. Translators put an element around each text, or in its place, but React
 * keeps the text nodes that it created: removing one, or inserting before it, throws (github.com/facebook/react/issues/11538), and its
 * new content is not shown. An element of our own around each text would prevent that, but each package that renders needs it, too.
 */
export function allowTranslation(): () => void {
  const { removeChild, insertBefore } = Node.prototype;
  Node.prototype.removeChild = function removeShown<T extends Node>(this: Node, child: T): T {
    const place = childShowing(child, this);
    const displayed = place?.contains(child) ? child : place;
    if (displayed?.parentNode) removeChild.call(displayed.parentNode, displayed);
    return child;
  };
  Node.prototype.insertBefore = function insertBeforeShown<T extends Node>(
    this: Node,
    node: T,
    child: Node | null,
  ): T {
    insertBefore.call(this, node, child && childShowing(child, this));
    return node;
  };
  const observer = new MutationObserver(noteStandIns);
  observer.observe(document, { childList: true, subtree: true });
  return () => observer.disconnect();
}
