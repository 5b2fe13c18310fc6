/** Happy DOM keeps its internal state under symbols. */
function internal(owner: object, name: string): symbol {
  const found = Object.getOwnPropertySymbols(owner).find(({ description }) => description === name);
  if (!found) throw new Error(`Happy DOM has no ${name}`);
  return found;
}

const IS_QUICK = Symbol.for('quick nodes');

/**
 * Speeds up rendering. React builds a tree from its leaves, and for each added node Happy DOM updates all descendants: in a tree that
 * is ten deep, each leaf ten times. Outside the document, forms, selects, text areas and styles there is nothing to update.
 */
export function speedUpDetachedTrees(): void {
  const nodePrototype = Object.getPrototypeOf(Element.prototype);
  let owner: object = nodePrototype;
  while (!Object.hasOwn(owner, 'appendChild')) owner = Object.getPrototypeOf(owner);
  // All windows of a process have this class.
  if (Object.hasOwn(owner, IS_QUICK)) return;
  Object.defineProperty(owner, IS_QUICK, { value: true });

  const element = document.createElement('div');
  const parentNode = internal(element, 'parentNode');
  const same = ['isConnected', 'rootNode', 'ownerDocument', 'window'].map((name) =>
    internal(element, name),
  );
  const absent = ['styleNode', 'textAreaNode', 'formNode', 'selectNode'].map((name) =>
    internal(element, name),
  );
  const connectedToNode = internal(owner, 'connectedToNode');
  const update = Reflect.get(owner, connectedToNode);
  Reflect.set(owner, connectedToNode, function (this: object) {
    const parent = Reflect.get(this, parentNode);
    const isCurrent =
      parent &&
      same.every((name) => parent[name] === Reflect.get(this, name)) &&
      !absent.some((name) => parent[name]);
    if (!isCurrent) update.call(this);
  });
}
