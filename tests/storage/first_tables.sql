-- A server's database as the program made it before there were migrations: a game of the toy between two people.
BEGIN TRANSACTION;
CREATE TABLE about (
	name VARCHAR(40) NOT NULL, 
	value TEXT, 
	PRIMARY KEY (name)
);
INSERT INTO "about" VALUES('schema','1');
CREATE TABLE actions (
	game VARCHAR(40) NOT NULL, 
	number INTEGER NOT NULL, 
	actor VARCHAR(40) NOT NULL, 
	text TEXT NOT NULL, 
	at VARCHAR(40) NOT NULL, 
	PRIMARY KEY (game, number), 
	FOREIGN KEY(game) REFERENCES games (id)
);
INSERT INTO "actions" VALUES('D9A8NgtijyVG',0,'prussia','bid 1','2026-01-01T00:00:00+00:00');
INSERT INTO "actions" VALUES('D9A8NgtijyVG',1,'austria','bid 2','2026-01-01T00:00:00+00:00');
INSERT INTO "actions" VALUES('D9A8NgtijyVG',2,'chance','die 1','2026-01-01T00:00:00+00:00');
INSERT INTO "actions" VALUES('D9A8NgtijyVG',3,'prussia','step north 1','2026-01-01T00:00:00+00:00');
INSERT INTO "actions" VALUES('D9A8NgtijyVG',4,'prussia','peek','2026-01-01T00:00:00+00:00');
INSERT INTO "actions" VALUES('D9A8NgtijyVG',5,'prussia','done','2026-01-01T00:00:00+00:00');
INSERT INTO "actions" VALUES('D9A8NgtijyVG',6,'austria','step north 2','2026-01-01T00:00:00+00:00');
CREATE TABLE answers (
	seat VARCHAR(40) NOT NULL, 
	"key" VARCHAR(80) NOT NULL, 
	n INTEGER NOT NULL, 
	PRIMARY KEY (seat, "key"), 
	FOREIGN KEY(seat) REFERENCES seats (id)
);
INSERT INTO "answers" VALUES('VacUuNw60lXw','old-00000001',1);
INSERT INTO "answers" VALUES('pK7UgVyfNsA8','old-00000002',3);
INSERT INTO "answers" VALUES('VacUuNw60lXw','old-00000003',4);
INSERT INTO "answers" VALUES('VacUuNw60lXw','old-00000004',5);
INSERT INTO "answers" VALUES('VacUuNw60lXw','old-00000005',6);
INSERT INTO "answers" VALUES('pK7UgVyfNsA8','old-00000006',7);
INSERT INTO "answers" VALUES('VacUuNw60lXw','old-00000007',6);
INSERT INTO "answers" VALUES('VacUuNw60lXw','chat chat-key-1',1);
CREATE TABLE chat (
	game VARCHAR(40) NOT NULL, 
	number INTEGER NOT NULL, 
	side INTEGER NOT NULL, 
	at VARCHAR(40) NOT NULL, 
	text TEXT NOT NULL, 
	PRIMARY KEY (game, number), 
	FOREIGN KEY(game) REFERENCES games (id)
);
INSERT INTO "chat" VALUES('D9A8NgtijyVG',1,0,'2026-01-01T00:00:00+00:00','Good evening.');
CREATE TABLE games (
	id VARCHAR(40) NOT NULL, 
	ruleset VARCHAR(80) NOT NULL, 
	version VARCHAR(80) NOT NULL, 
	data VARCHAR(80) NOT NULL, 
	scenario VARCHAR(80) NOT NULL, 
	options TEXT NOT NULL, 
	title VARCHAR(80) NOT NULL, 
	helps BOOLEAN NOT NULL, 
	maker VARCHAR(64) NOT NULL, 
	made VARCHAR(40) NOT NULL, 
	"before" VARCHAR(40) NOT NULL, 
	date VARCHAR(80) NOT NULL, 
	waiting INTEGER NOT NULL, 
	since VARCHAR(40) NOT NULL, 
	result TEXT NOT NULL, 
	has_ended BOOLEAN NOT NULL, 
	PRIMARY KEY (id)
);
INSERT INTO "games" VALUES('D9A8NgtijyVG','toy','1','abcd','parley','{"rounds":"3"}','',1,'a6d89b800a63d1b8f08b6752d7fcd888ac45e93c72f585ea01cc6cddaf94480d','2026-01-01T00:00:00+00:00','','the turn 1756',2,'2026-01-01T00:00:00+00:00','',0);
CREATE TABLE keeps (
	browser VARCHAR(64) NOT NULL, 
	seat VARCHAR(40) NOT NULL, 
	PRIMARY KEY (browser, seat), 
	FOREIGN KEY(seat) REFERENCES seats (id)
);
INSERT INTO "keeps" VALUES('a6d89b800a63d1b8f08b6752d7fcd888ac45e93c72f585ea01cc6cddaf94480d','3TY7cvL3FnUP');
INSERT INTO "keeps" VALUES('240c2b76581c23c29b5a6d46a1ec1c08c940ae6e4c3e7bc058790dcb2aeccab2','VacUuNw60lXw');
INSERT INTO "keeps" VALUES('7f70448f7f9a8d1915e0f97930c328771e8f3dd7f1e45173a8b0b6c71537b668','pK7UgVyfNsA8');
INSERT INTO "keeps" VALUES('96426f73e329962a2c567f30ff0e927b96dcb67f3b7e914ed1a4ea55033d64bf','3TY7cvL3FnUP');
CREATE TABLE papers (
	seat VARCHAR(40) NOT NULL, 
	papers TEXT NOT NULL, 
	PRIMARY KEY (seat), 
	FOREIGN KEY(seat) REFERENCES seats (id)
);
CREATE TABLE proposals (
	game VARCHAR(40) NOT NULL, 
	side INTEGER NOT NULL, 
	kind VARCHAR(20) NOT NULL, 
	"to" INTEGER NOT NULL, 
	PRIMARY KEY (game, side), 
	FOREIGN KEY(game) REFERENCES games (id)
);
INSERT INTO "proposals" VALUES('D9A8NgtijyVG',0,'draw',0);
CREATE TABLE seats (
	id VARCHAR(40) NOT NULL, 
	game VARCHAR(40) NOT NULL, 
	side INTEGER NOT NULL, 
	who VARCHAR(80) NOT NULL, 
	lock VARCHAR(64) NOT NULL, 
	is_taken BOOLEAN NOT NULL, 
	PRIMARY KEY (id), 
	FOREIGN KEY(game) REFERENCES games (id), 
	UNIQUE (lock)
);
INSERT INTO "seats" VALUES('VacUuNw60lXw','D9A8NgtijyVG',0,'person','b2c4f83ce3acf9df1949fe45c06e8ceeb3e7f88ec52429260429a581d56870a1',1);
INSERT INTO "seats" VALUES('pK7UgVyfNsA8','D9A8NgtijyVG',1,'person','bfde7737b499e9d96ddb941636fdb520e7694de6991c2b3b5be045e5bd69736f',1);
INSERT INTO "seats" VALUES('3TY7cvL3FnUP','D9A8NgtijyVG',2,'watcher','240c8c54294161f5379fe9340743f98912e62f279483b3e0ea10763b269776d7',1);
CREATE INDEX ix_games_maker ON games (maker);
CREATE INDEX ix_games_before ON games ("before");
CREATE INDEX ix_seats_game ON seats (game);
CREATE INDEX ix_keeps_seat ON keeps (seat);
COMMIT;
