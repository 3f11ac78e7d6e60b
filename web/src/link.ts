// A place in a page as the fragment of its address: "#run=1&event=42". Events count from 1, as people do.

export interface Place {
  run: number;
  event: number | null; // position among the events; nothing: the end
}

export function placeOf(fragment: string): Place {
  const fields = new URLSearchParams(fragment.replace(/^#/, ''));
  const number = (name: string): number | null => {
    const text = fields.get(name);
    return text !== null && /^[0-9]{1,9}$/.test(text) ? Number(text) : null;
  };
  const event = number('event');
  return { run: Math.max(0, (number('run') ?? 1) - 1), event: event === null || event === 0 ? null : event - 1 };
}

export function fragmentOf(run: number, event: number): string {
  return `#${run === 0 ? '' : `run=${run + 1}&`}event=${event + 1}`;
}
