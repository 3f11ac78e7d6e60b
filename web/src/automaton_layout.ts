// Where the locations and rules of an automaton stand, laid out by dagre. Rules between the same two locations share
// one curve. Pure: the same automaton gives the same picture.
import { Graph, layout } from '@dagrejs/dagre';
import type { AutomatonInfo } from './document';

interface Point {
  x: number;
  y: number;
}

export interface LocationBox {
  name: string;
  x: number;
  y: number;
}

export interface RuleCurve {
  source: number;
  target: number;
  rules: number[];
  points: { x: number; y: number }[];
  labelX: number;
  labelY: number;
}

export interface AutomatonLayout {
  width: number;
  height: number;
  locations: LocationBox[];
  curves: RuleCurve[];
}

export const radius = 26;

// Rules that stay where they are and change nothing are left out, unless the run takes them.
export function drawnRules(automaton: AutomatonInfo): number[] {
  const taken = new Set(automaton.steps.map((step) => step.rule));
  return automaton.rules
    .map((rule, i) => ({ rule, i }))
    .filter(({ rule, i }) => rule.source !== rule.target || rule.updates.length > 0 || taken.has(i))
    .map(({ i }) => i);
}

// dagre ends curves at boxes; here they end at circles.
function clipped(points: Point[], from: Point, to: Point): Point[] {
  const toward = (centre: Point, other: Point): Point => {
    const length = Math.hypot(other.x - centre.x, other.y - centre.y) || 1;
    return {
      x: centre.x + ((other.x - centre.x) / length) * radius,
      y: centre.y + ((other.y - centre.y) / length) * radius,
    };
  };
  const inner = points.slice(1, -1);
  return [toward(from, inner[0] ?? to), ...inner, toward(to, inner[inner.length - 1] ?? from)];
}

export function layoutAutomaton(automaton: AutomatonInfo): AutomatonLayout {
  const graph = new Graph({ multigraph: false });
  graph.setGraph({ rankdir: 'LR', nodesep: 46, ranksep: 92, edgesep: 24, marginx: 40, marginy: 40 });
  graph.setDefaultEdgeLabel(() => ({}));
  automaton.locations.forEach((name, i) =>
    graph.setNode(String(i), { width: 2 * radius, height: 2 * radius + 18, label: name }),
  );
  const groups = new Map<string, RuleCurve>();
  for (const i of drawnRules(automaton)) {
    const { source, target } = automaton.rules[i]!;
    const key = `${source} ${target}`;
    const curve = groups.get(key) ?? { source, target, rules: [], points: [], labelX: 0, labelY: 0 };
    curve.rules.push(i);
    groups.set(key, curve);
  }
  for (const curve of groups.values()) {
    if (curve.source === curve.target) continue;
    const label = labelOf(automaton, curve);
    graph.setEdge(String(curve.source), String(curve.target), {
      width: 7 * label.length + 8,
      height: 16,
      labelpos: 'c',
      minlen: 1,
    });
  }
  layout(graph);
  const place = (i: number): { x: number; y: number } => graph.node(String(i)) as { x: number; y: number };
  for (const curve of groups.values()) {
    if (curve.source === curve.target) {
      const { x, y } = place(curve.source);
      curve.points = [
        { x: x - 12, y: y - radius + 3 },
        { x: x - 22, y: y - radius - 30 },
        { x: x + 22, y: y - radius - 30 },
        { x: x + 12, y: y - radius + 3 },
      ];
      [curve.labelX, curve.labelY] = [x, y - radius - 28];
      continue;
    }
    const edge = graph.edge(String(curve.source), String(curve.target)) as {
      points: { x: number; y: number }[];
      x?: number;
      y?: number;
    };
    curve.points = clipped(edge.points, place(curve.source), place(curve.target));
    const middle = edge.points[Math.floor(edge.points.length / 2)]!;
    [curve.labelX, curve.labelY] = [edge.x ?? middle.x, edge.y ?? middle.y];
  }
  const size = graph.graph() as { width?: number; height?: number };
  return {
    width: size.width ?? 400,
    height: size.height ?? 300,
    locations: automaton.locations.map((name, i) => ({ name, ...place(i) })),
    curves: [...groups.values()],
  };
}

export function labelOf(automaton: AutomatonInfo, curve: RuleCurve): string {
  const ids = curve.rules.map((i) => automaton.rules[i]!.id);
  return ids.length > 4 ? `${ids.slice(0, 3).join(',')},+${ids.length - 3}` : ids.join(',');
}
