/** A date without the dots of Portuguese, which abbreviates as "qua., 25 de nov.": a dot reads as the end of a sentence. */
export const undotted = (text: string): string => text.replaceAll('.', '');
