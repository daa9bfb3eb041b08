-- What is asked for at each look at the metrics: unfinished jobs, and when the latest was done.
CREATE INDEX jobs_by_status ON jobs (status, finished_at);
