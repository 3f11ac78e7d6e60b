// The two chains of a conflict as a tree: what both seats committed alike, then the branches. Pure.
import type { Claim, Commit, FindingInfo } from './document';
import type { Story } from './story';

export interface TreeNode {
  value: string;
  height: number;
  x: number; // 0 and 1 are the branches, 0.5 the stem
  seats: string[];
  disagrees: boolean;
  parent: number; // position among the nodes; -1: none
}

// On what each value was proposed, by name, as far as the trace tells.
export type Parents = ReadonlyMap<string, ReadonlySet<string>>;

export function parentsOf(story: Story): Parents {
  const parents = new Map<string, Set<string>>();
  for (const event of story.events) {
    if (story.kindName(event.kind) !== 'proposed') continue;
    const value = story.valueName(event.value);
    const on = parents.get(value) ?? new Set<string>();
    on.add(story.valueName(event.other));
    parents.set(value, on);
  }
  return parents;
}

// Whether one value can stand on another. Where everything is proposed on nothing, proposals tell no chains.
function fits(value: string, below: string, parents: Parents): boolean {
  const on = parents.get(value);
  return on === undefined || on.has(below) || [...on].every((parent) => parent === 'genesis');
}

// One value for each height, from the first on. A seat may contradict itself, so that it has several at one height:
// then the one that was proposed on what stands below it, and where that is not told the branch ends.
function chainOf(claim: Claim, conflict: number, parents: Parents): Commit[] {
  const chain: Commit[] = [];
  const heights = [...new Set(claim.history.map((commit) => commit.height))].sort((a, b) => a - b);
  let below = 'genesis';
  for (const height of heights) {
    const here = claim.history.filter((commit) => commit.height === height);
    const wanted = height === conflict ? here.filter((c) => c.value === claim.value) : here;
    const fitting = wanted.filter((commit) => height === conflict || fits(commit.value, below, parents));
    const commit = fitting.length > 1 ? fitting.find((c) => parents.get(c.value)?.has(below)) : fitting[0];
    if (commit === undefined) break;
    chain.push(commit);
    below = commit.value;
  }
  return chain;
}

export function treeOf(finding: FindingInfo, parents: Parents): TreeNode[] {
  const [left, right] = finding.claims;
  if (left === undefined || right === undefined || left.history.length + right.history.length === 0) return [];
  const nodes: TreeNode[] = [{ value: 'genesis', height: 0, x: 0.5, seats: [], disagrees: false, parent: -1 }];
  const rest = [left, right].map((claim) => chainOf(claim, finding.height, parents));
  const same = (): boolean => {
    const [a, b] = [rest[0]![0], rest[1]![0]];
    return (
      a !== undefined && b !== undefined && a.height < finding.height && a.height === b.height && a.value === b.value
    );
  };
  let stem = 0;
  while (same()) {
    const commit = rest[0]!.shift()!;
    rest[1]!.shift();
    nodes.push({ ...commit, x: 0.5, seats: [left.seat, right.seat], disagrees: false, parent: stem });
    stem = nodes.length - 1;
  }
  rest.forEach((side, i) => {
    let parent = stem;
    for (const commit of side) {
      const seat = (i === 0 ? left : right).seat;
      nodes.push({ ...commit, x: i, seats: [seat], disagrees: commit.height === finding.height, parent });
      parent = nodes.length - 1;
    }
  });
  return nodes;
}
