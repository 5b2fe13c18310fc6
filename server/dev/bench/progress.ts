/** Prints the current row, its number and the elapsed time. */
export interface Progress {
  begin: (what: string) => void;
  /** A step within the current row. */
  step: (what: string) => void;
}

export function progress(of: number, say: (line: string) => void): Progress {
  const since = performance.now();
  let at = 0;
  const elapsed = (): string => {
    const seconds = Math.round((performance.now() - since) / 1000);
    return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
  };
  return {
    begin: (what) => {
      at += 1;
      say(`${elapsed()}  ${at} of ${of}  ${what}`);
    },
    step: (what) => say(`${elapsed()}    ${what}`),
  };
}
