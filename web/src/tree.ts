// The two chains of a conflict as a tree: what both seats committed alike, then the branches. Pure, from the evidence.
import type { FindingInfo } from './document';

export interface TreeNode {
  value: string;
  height: number;
  x: number; // 0 and 1 are the branches, 0.5 the stem
  seats: string[];
  disagrees: boolean;
  parent: number; // position among the nodes; -1: none
}

export function treeOf(finding: FindingInfo): TreeNode[] {
  const [left, right] = finding.claims;
  if (left === undefined || right === undefined || left.history.length + right.history.length === 0) return [];
  const nodes: TreeNode[] = [{ value: 'genesis', height: 0, x: 0.5, seats: [], disagrees: false, parent: -1 }];
  const sides = [left, right].map((claim) => [...claim.history].sort((a, b) => a.height - b.height));
  let stem = 0;
  const rest = sides.map((side) => [...side]);
  const same = (): boolean => {
    const [a, b] = [rest[0]![0], rest[1]![0]];
    return a !== undefined && b !== undefined && a.height === b.height && a.value === b.value;
  };
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
