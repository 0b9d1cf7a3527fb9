CREATE TABLE about (
	name VARCHAR(40) NOT NULL,
	value TEXT NOT NULL,
	PRIMARY KEY (name)
);
CREATE TABLE actions (
	game VARCHAR(40) NOT NULL,
	number INTEGER NOT NULL,
	actor VARCHAR(40) NOT NULL,
	text TEXT NOT NULL,
	at VARCHAR(40) NOT NULL,
	PRIMARY KEY (game, number),
	FOREIGN KEY(game) REFERENCES games (id)
);
CREATE TABLE alembic_version (
	version_num VARCHAR(32) NOT NULL,
	CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num)
);
CREATE TABLE answers (
	seat VARCHAR(40) NOT NULL,
	"key" VARCHAR(80) NOT NULL,
	n INTEGER NOT NULL,
	request VARCHAR(64) NOT NULL,
	PRIMARY KEY (seat, "key"),
	FOREIGN KEY(seat) REFERENCES seats (id)
);
CREATE TABLE chat (
	game VARCHAR(40) NOT NULL,
	number INTEGER NOT NULL,
	side INTEGER NOT NULL,
	at VARCHAR(40) NOT NULL,
	text TEXT NOT NULL,
	PRIMARY KEY (game, number),
	FOREIGN KEY(game) REFERENCES games (id)
);
CREATE TABLE devices (
	seat VARCHAR(40) NOT NULL,
	number INTEGER NOT NULL,
	lock VARCHAR(64) NOT NULL,
	what VARCHAR(80) NOT NULL,
	since VARCHAR(40) NOT NULL,
	seen VARCHAR(40) NOT NULL,
	told INTEGER NOT NULL,
	ended VARCHAR(40) NOT NULL,
	player VARCHAR(40) NOT NULL,
	colour VARCHAR(20) NOT NULL,
	PRIMARY KEY (seat, number),
	FOREIGN KEY(seat) REFERENCES seats (id)
);
CREATE TABLE dice_keys (
	game VARCHAR(40) NOT NULL,
	"key" BLOB NOT NULL,
	PRIMARY KEY (game),
	FOREIGN KEY(game) REFERENCES games (id)
);
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
	date VARCHAR(80) NOT NULL,
	waiting INTEGER NOT NULL,
	since VARCHAR(40) NOT NULL,
	"before" VARCHAR(40) NOT NULL,
	result TEXT NOT NULL,
	has_ended BOOLEAN NOT NULL,
	takebacks VARCHAR(20) NOT NULL,
	PRIMARY KEY (id)
);
CREATE TABLE invitations (
	lock VARCHAR(64) NOT NULL,
	seat VARCHAR(40) NOT NULL,
	made VARCHAR(40) NOT NULL,
	used VARCHAR(40) NOT NULL,
	PRIMARY KEY (lock),
	FOREIGN KEY(seat) REFERENCES seats (id)
);
CREATE TABLE papers (
	seat VARCHAR(40) NOT NULL,
	papers TEXT NOT NULL,
	PRIMARY KEY (seat),
	FOREIGN KEY(seat) REFERENCES seats (id)
);
CREATE TABLE proof (
	game VARCHAR(40) NOT NULL,
	number INTEGER NOT NULL,
	text TEXT NOT NULL,
	PRIMARY KEY (game, number),
	FOREIGN KEY(game) REFERENCES games (id)
);
CREATE TABLE proposals (
	game VARCHAR(40) NOT NULL,
	side INTEGER NOT NULL,
	kind VARCHAR(40) NOT NULL,
	"to" INTEGER NOT NULL,
	PRIMARY KEY (game, side),
	FOREIGN KEY(game) REFERENCES games (id)
);
CREATE TABLE reports (
	game VARCHAR(40) NOT NULL,
	version VARCHAR(80) NOT NULL,
	report TEXT NOT NULL,
	PRIMARY KEY (game),
	FOREIGN KEY(game) REFERENCES games (id)
);
CREATE TABLE seals (
	game VARCHAR(40) NOT NULL,
	signing BLOB NOT NULL,
	PRIMARY KEY (game),
	FOREIGN KEY(game) REFERENCES games (id)
);
CREATE TABLE seats (
	id VARCHAR(40) NOT NULL,
	game VARCHAR(40) NOT NULL,
	side INTEGER NOT NULL,
	who VARCHAR(80) NOT NULL,
	is_taken BOOLEAN NOT NULL,
	player VARCHAR(40) NOT NULL,
	colour VARCHAR(20) NOT NULL,
	PRIMARY KEY (id),
	FOREIGN KEY(game) REFERENCES games (id)
);
CREATE TABLE thoughts (
	seat VARCHAR(40) NOT NULL,
	number INTEGER NOT NULL,
	thought BLOB NOT NULL,
	PRIMARY KEY (seat, number),
	FOREIGN KEY(seat) REFERENCES seats (id)
);
CREATE INDEX ix_devices_lock ON devices (lock);
CREATE INDEX ix_games_before ON games ("before");
CREATE INDEX ix_games_maker ON games (maker);
CREATE INDEX ix_invitations_seat ON invitations (seat);
CREATE INDEX ix_seats_game ON seats (game);
INSERT INTO alembic_version VALUES ('1.0');
