#!/bin/sh
# A campaign as a Slurm job array: each task runs its shard and keeps it in a file; a task that is requeued goes on where it
# was. Submit with `sbatch slurm.sh`, then join the files with `nika campaign merge all.db campaigns/shard-*.db`.
#SBATCH --job-name=nika
#SBATCH --array=1-16
#SBATCH --cpus-per-task=8
#SBATCH --time=12:00:00
#SBATCH --requeue
set -eu
mkdir -p campaigns
# Exit codes: 1 is a violation, which is a result.
exec nika twins diembft --rounds 8 --step3 random:1000000000 --threads "${SLURM_CPUS_PER_TASK:-1}" --quiet \
  --campaign "campaigns/shard-$SLURM_ARRAY_TASK_ID.db" --findings campaigns/findings
