/** Whether a style sheet has rules about `display` or `visibility`. */
const hiding = new WeakMap<CSSStyleSheet, boolean>();
function hides(sheet: CSSStyleSheet): boolean {
  const known =
    hiding.get(sheet) ??
    [...sheet.cssRules].some((rule) => /display|visibility/.test(rule.cssText));
  hiding.set(sheet, known);
  return known;
}

const says = (element: Element, property: string): boolean =>
  element.getAttribute('style')?.includes(property) ?? false;

/**
 * Speeds up `getByRole`, which reads `display` and `visibility` of each element and its descendants. Happy DOM copies all inherited
 * styles for each answer, a twentieth of these tests' time. Without a matching rule or `style`, the answer is the tag's default.
 */
export function speedUpVisibilityChecks(): void {
  const styleOf = window.getComputedStyle.bind(window);
  const byTag = new Map<string, string>();
  const styleElements = document.getElementsByTagName('style');
  const anyHides = (): boolean =>
    styleElements.length > 0 || document.adoptedStyleSheets.some(hides);

  function displayOf(element: Element): string {
    if (!element.isConnected || says(element, 'display') || anyHides())
      return styleOf(element).display;
    const kind = element.hasAttribute('open') ? `${element.tagName} open` : element.tagName;
    const display = byTag.get(kind) ?? styleOf(element).display;
    byTag.set(kind, display);
    return display;
  }
  function visibilityOf(element: Element): string {
    if (anyHides()) return styleOf(element).visibility;
    for (let at: Element | null = element; at; at = at.parentElement)
      if (says(at, 'visibility')) return styleOf(element).visibility;
    return '';
  }

  const quick = new WeakMap<Element, CSSStyleDeclaration>();
  window.getComputedStyle = (element) => {
    const known = quick.get(element);
    if (known) return known;
    const real = styleOf(element);
    const getPropertyValue = (name: string): string => {
      if (name === 'display') return displayOf(element);
      return name === 'visibility' ? visibilityOf(element) : real.getPropertyValue(name);
    };
    // Inherits instead of being a proxy: a proxy's answers are compared with the real ones, which this avoids asking for.
    const style: CSSStyleDeclaration = Object.create(real, {
      getPropertyValue: { value: getPropertyValue },
      display: { get: () => displayOf(element) },
      visibility: { get: () => visibilityOf(element) },
    });
    quick.set(element, style);
    return style;
  };
}
